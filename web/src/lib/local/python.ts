/** Starts Python in a worker, with our code. */
import type { PyodideAPI } from 'pyodide';
import { downloadEngine, type EngineSource, type Progress } from './engineDownload';

type LoadPyodide = (typeof import('pyodide'))['loadPyodide'];

/** Where Python finds our code. */
const CODE = '/wellies.zip';

/** What a second Python of the same page need not load and compile again. */
export interface Loaded {
  files: Map<string, Blob>;
  wasm: WebAssembly.Module;
}

export interface Started extends Loaded {
  python: PyodideAPI;
}

/** Downloads the engine, where it is not there yet, and starts it. */
export async function startPython(
  source: EngineSource,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<Started> {
  return start(source, await downloadEngine(source, onProgress));
}

/** Starts another Python. */
export const startAgain = (source: EngineSource, { files, wasm }: Loaded): Promise<Started> =>
  start(source, files, wasm);

/** A module of ours. */
export function importModule<T>(python: PyodideAPI, name: string): T {
  try {
    return python.pyimport(name) as T;
  } catch (error) {
    throw cannotStart(error);
  }
}

function cannotStart(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  // The last line of what Python says is the error itself.
  const why = message.trim().split('\n').at(-1);
  return new Error(`This browser could not start the games (${why}).`, { cause });
}

async function start(source: EngineSource, files: Map<string, Blob>, compiled?: WebAssembly.Module): Promise<Started> {
  const address = (path: string) => new URL(path, source.root).href;
  const folder = address(source.engine.python);
  let wasm = compiled;
  // Pyodide fetches its files by address: it gets those that were just downloaded, with or without a network.
  const network = self.fetch;
  self.fetch = (input, init) => {
    const file = files.get(input instanceof Request ? input.url : String(input));
    if (!file) return network.call(self, input, init);
    const type = { 'content-type': String(input).endsWith('.wasm') ? 'application/wasm' : file.type };
    return Promise.resolve(new Response(file, { headers: type }));
  };
  // Pyodide would wait for ever for WebAssembly that the browser does not take.
  const refused = new Promise<never>((_, reject) => {
    WebAssembly.instantiateStreaming = async (response, imports) => {
      try {
        wasm ??= await WebAssembly.compileStreaming(response);
        return { module: wasm, instance: await WebAssembly.instantiate(wasm, imports) };
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }
    };
  });
  try {
    const { loadPyodide } = (await import(/* @vite-ignore */ `${folder}pyodide.mjs`)) as { loadPyodide: LoadPyodide };
    const loading = loadPyodide({ indexURL: folder, lockFileContents: source.engine.lock, packageBaseUrl: folder });
    const python = await Promise.race([loading, refused]);
    const code = files.get(address(source.engine.code));
    if (!code || !wasm) throw new Error('a part of it is missing');
    python.FS.writeFile(CODE, new Uint8Array(await code.arrayBuffer()));
    python.runPython(`import sys; sys.path.insert(0, "${CODE}")`);
    return { python, files, wasm };
  } catch (error) {
    throw cannotStart(error);
  } finally {
    self.fetch = network;
  }
}
