/** Where the browser keeps the engine. The service worker answers from there, and the page puts it there. */

export const ENGINE_CACHE = 'wellies-engine';

/** The addresses of the engine's files. They change with their content. */
export const ENGINE_FILES = /\/assets\/engine-[^/]+\/[^/]+$/;
