/**
 * Puts the engine for games without a server into the built page: Python in WebAssembly (npm `pyodide`), its library, and our
 * own code, which `scripts/build_engine.py` packs. The page loads it only when a game on this device is opened.
 *
 * Python reads compiled files in a fifth of the time, so library and engine are compiled here, by the same Python that runs
 * in the browser. Python and engine have folders of their own: a new version of Wellies leaves Python in the browser's cache.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const HERE = dirname(fileURLToPath(import.meta.url));
const PACKED = join(HERE, '../../build/browser');
const PYODIDE = dirname(createRequire(import.meta.url).resolve('pyodide/package.json'));
const MODULE = 'virtual:engine';

/** What the page must know of the engine. */
export interface Engine {
  /** Folder of Python, relative to the page's own folder. */
  python: string;
  /** What `loadPyodide` must know of packages: that there are none. */
  lock: string;
  /** The archive with our code. */
  code: string;
  /** The answers that need no engine: games, rules and bots. */
  catalogue: string;
  /** All files of the engine with their sizes and their SHA-256, in hexadecimal digits. */
  files: { path: string; bytes: number; sha256: string }[];
}

/** Parts of Python's library that no game needs, and the encodings that are needed. */
const NOT_NEEDED = `__hello__ __phello__ _compat_pickle _markupbase _pydatetime _pydecimal _pyio _pyrepl _strptime
  _sysconfigdata__emscripten_wasm32-emscripten antigravity bdb cProfile cmd code colorsys compileall configparser csv ctypes
  curses dbm doctest ensurepip filecmp fileinput fractions ftplib getopt getpass graphlib gzip html http idlelib imaplib
  mailbox mimetypes modulefinder multiprocessing netrc nturl2path optparse pdb pickle pickletools plistlib poplib pprint
  profile pstats pty py_compile pyclbr pydoc pydoc_data rlcompleter runpy sched shelve shlex smtplib socketserver sqlite3
  statistics symtable sysconfig tabnanny tarfile this timeit tkinter tomllib trace tracemalloc tty turtle turtledemo
  unittest uuid venv wave webbrowser wsgiref xml xmlrpc zipapp zoneinfo`.split(/\s+/);
const ENCODINGS = ['__init__', 'aliases', 'ascii', 'cp437', 'idna', 'latin_1', 'punycode', 'utf_8'];

/** Compiles an archive of sources. `bare` also leaves out assertions, as `python -OO` does. */
const COMPILE = `
import ast, importlib.util, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

def without_docstrings(source, name):
    tree = ast.parse(source, name)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node.body[0])]
    return tree

def wanted(name, left_out, encodings):
    first, _, rest = name.partition("/")
    if first == "encodings" and encodings:
        return rest.removesuffix(".py") in encodings
    return first.removesuffix(".py") not in left_out

def compile_archive(source, target, bare, left_out, encodings):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for entry in sorted(old.infolist(), key=lambda entry: entry.filename):
            name = entry.filename
            if entry.is_dir() or not wanted(name, left_out, encodings):
                continue
            data = old.read(entry)
            if name.endswith(".py"):
                tree = without_docstrings(data, name)
                code = compile(tree, name, "exec", dont_inherit=True, optimize=2 if bare else 0)
                data, name = bytes(_code_to_hash_pyc(code, importlib.util.source_hash(data), False)), name + "c"
            new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
`;

const sha256 = (...parts: (Uint8Array | string)[]): string => {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(part);
  return sum.digest('hex');
};
const hash = (...parts: (Uint8Array | string)[]): string => sha256(...parts).slice(0, 10);

const lockOf = async (): Promise<string> => {
  const { info } = JSON.parse(await readFile(join(PYODIDE, 'pyodide-lock.json'), 'utf8')) as { info: unknown };
  return JSON.stringify({ info, packages: {} });
};

/** The two archives compiled, taken from the last build where nothing has changed. */
async function compiled(library: Uint8Array, code: Uint8Array): Promise<{ library: Uint8Array; code: Uint8Array }> {
  const version = hash(await readFile(join(PYODIDE, 'package.json')), await readFile(fileURLToPath(import.meta.url)));
  const jobs = [
    { from: library, file: join(PACKED, `library-${hash(version, library)}.zip`), bare: true },
    { from: code, file: join(PACKED, `code-${hash(version, code)}.zip`), bare: false },
  ];
  const missing = jobs.filter((job) => !existsSync(job.file));
  if (missing.length) {
    const { loadPyodide } = await import('pyodide');
    const python = await loadPyodide({ lockFileContents: await lockOf(), packageBaseUrl: PYODIDE });
    python.runPython(COMPILE);
    const compile = python.globals.get('compile_archive') as (...given: unknown[]) => void;
    for (const job of missing) {
      python.FS.writeFile('/from.zip', job.from);
      const lists = [job.bare ? NOT_NEEDED : [], job.bare ? ENCODINGS : []].map((list) => python.toPy(list) as unknown);
      compile('/from.zip', '/to.zip', job.bare, ...lists);
      await mkdir(PACKED, { recursive: true });
      await writeFile(job.file, python.FS.readFile('/to.zip') as Uint8Array);
    }
  }
  const [a, b] = await Promise.all(jobs.map((job) => readFile(job.file)));
  return { library: a as Uint8Array, code: b as Uint8Array };
}

interface Built {
  engine: Engine;
  files: Map<string, Uint8Array>;
}

async function build(): Promise<Built> {
  const packed = join(PACKED, 'engine.zip');
  if (!existsSync(packed))
    throw new Error('The engine is not packed yet. Run `make page` in the folder of the project.');
  const archives = await compiled(await readFile(join(PYODIDE, 'python_stdlib.zip')), await readFile(packed));
  const python = new Map<string, Uint8Array>();
  for (const name of ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm'])
    python.set(name, await readFile(join(PYODIDE, name)));
  // Developer tools would look for a map that is not there.
  const script = Buffer.from(python.get('pyodide.mjs') ?? '').toString();
  python.set('pyodide.mjs', Buffer.from(script.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')));
  python.set('python_stdlib.zip', archives.library);
  const catalogue = await readFile(join(PACKED, 'catalogue.json'));
  const folder = `assets/engine-python-${hash(...python.values())}/`;
  const files = new Map([...python].map(([name, data]) => [folder + name, data]));
  const code = `assets/engine-${hash(archives.code)}/wellies.zip`;
  files.set(code, archives.code);
  const engine: Engine = {
    python: folder,
    lock: await lockOf(),
    code,
    catalogue: `assets/engine-${hash(archives.code)}/catalogue-${hash(catalogue)}.json`,
    files: [...files].map(([path, data]) => ({ path, bytes: data.byteLength, sha256: sha256(data) })),
  };
  files.set(engine.catalogue, catalogue);
  return { engine, files };
}

const TYPES: Record<string, string> = {
  json: 'application/json',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
  zip: 'application/zip',
};

/** Emits the files of the engine, and serves them while one works on the page. */
export function enginePlugin(): Plugin {
  let built: Promise<Built> | null = null;
  const once = () => (built ??= build());
  return {
    name: 'engine',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    load: async (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify((await once()).engine)};` : undefined),
    async generateBundle() {
      for (const [fileName, source] of (await once()).files) this.emitFile({ type: 'asset', fileName, source });
    },
    configureServer(server) {
      server.middlewares.use('/assets', (request, answer, next) => {
        const path = `assets${request.url?.split('?')[0] ?? ''}`;
        if (!path.startsWith('assets/engine-')) return next();
        once().then(({ files }) => {
          const data = files.get(path);
          if (!data) return next();
          answer.setHeader('content-type', TYPES[path.split('.').pop() ?? ''] ?? 'application/octet-stream');
          answer.end(data);
        }, next);
      });
    },
  };
}
