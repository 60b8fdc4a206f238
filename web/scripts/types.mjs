// Makes the page's types from the server's schemas: schemas/*.json (written by `wellies schemas`) -> src/lib/api/generated/*.ts.
// With --check nothing is written, and a file that is not current is an error.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { compile } from 'json-schema-to-typescript';
import prettier from 'prettier';

const from = new URL('../schemas/', import.meta.url);
const to = new URL('../src/lib/api/generated/', import.meta.url);
const check = process.argv.includes('--check');
const style = { ...(await prettier.resolveConfig(new URL('../package.json', import.meta.url))), parser: 'typescript' };
await mkdir(to, { recursive: true });

let stale = 0;
for (const file of (await readdir(from)).sort()) {
  if (!/^(view-.*|client-messages|server-messages|plain-board|preferences|openapi)\.json$/.test(file)) continue;
  const schema = JSON.parse(await readFile(new URL(file, from), 'utf8'));
  const shapes = schema.$defs ?? schema.definitions ?? schema.components?.schemas;
  const name = file.replace('.json', '');
  const messages = Object.keys(shapes).filter(
    (key) => shapes[key].properties?.type?.enum ?? shapes[key].properties?.type?.const,
  );
  const moves = Object.keys(shapes).filter((key) => shapes[key].properties?.kind?.enum?.length === 1);
  const union = name.startsWith('view-') ? moves : messages;
  const text = JSON.parse(JSON.stringify(shapes).replaceAll('#/components/schemas/', '#/$defs/'), (_, value) =>
    value?.type === 'object' && !value.properties
      ? { ...value, additionalProperties: value.additionalProperties ?? true }
      : value,
  );
  const refs = Object.fromEntries(Object.keys(shapes).map((key) => [key, { $ref: `#/$defs/${key}` }]));
  const either = !union.length
    ? null
    : { title: name.startsWith('view-') ? 'AnyMove' : 'Message', anyOf: union.map((key) => refs[key]) };
  const made = await compile(
    { title: 'Shapes', type: 'object', properties: either ? { [either.title]: either, ...refs } : refs, $defs: text },
    name,
    {
      additionalProperties: false,
      ignoreMinAndMaxItems: true,
      bannerComment: `// Made by \`npm run types\` from schemas/${file}. Do not edit.`,
    },
  );
  const cleaned = made
    .replace(/\/\*\*\s*\n \* This interface was referenced by[\s\S]*?\*\//g, '')
    .replace(/\n \*\n \* This interface was referenced by[\s\S]*?(?=\n \*\/)/g, '')
    .replace(/\n \*\n \* via the `definition`[^\n]*/g, '');
  const pretty = await prettier.format(cleaned, style);
  const target = new URL(`${name}.ts`, to);
  const old = await readFile(target, 'utf8').catch(() => '');
  if (old === pretty) continue;
  stale += 1;
  if (check) console.error(`src/lib/api/generated/${name}.ts is not current: run npm run types`);
  else await writeFile(target, pretty);
}
if (check && stale) process.exit(1);
