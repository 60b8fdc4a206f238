/** Starts Python in a worker, with our code. */
import type { PyodideAPI } from 'pyodide';
import { downloadEngine, type EngineSource, type Progress } from './engineDownload';

type LoadPyodide = (typeof import('pyodide'))['loadPyodide'];

/** Where Python finds our code. */
const CODE = '/wellies.zip';

export async function startPython(
  source: EngineSource,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<PyodideAPI> {
  const files = await downloadEngine(source, onProgress);
  const address = (path: string) => new URL(path, source.root).href;
  const python = address(source.engine.python);
  // Pyodide fetches its files by address: it gets those that were just downloaded, with or without a network.
  const network = self.fetch;
  self.fetch = (input, init) => {
    const file = files.get(input instanceof Request ? input.url : String(input));
    return file ? Promise.resolve(new Response(file)) : network.call(self, input, init);
  };
  try {
    const { loadPyodide } = (await import(/* @vite-ignore */ `${python}pyodide.mjs`)) as { loadPyodide: LoadPyodide };
    const api = await loadPyodide({ indexURL: python, lockFileContents: source.engine.lock, packageBaseUrl: python });
    const code = files.get(address(source.engine.code));
    if (code) api.FS.writeFile(CODE, new Uint8Array(await code.arrayBuffer()));
    api.runPython(`import sys; sys.path.insert(0, "${CODE}")`);
    return api;
  } catch (error) {
    throw new Error(
      `This browser could not start the games (${error instanceof Error ? error.message : String(error)}).`,
      {
        cause: error,
      },
    );
  } finally {
    self.fetch = network;
  }
}
