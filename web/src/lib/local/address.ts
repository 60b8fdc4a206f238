/** Where the files of the engine are. */
const here: string = import.meta.url;

/** The folder of the page: its scripts are in `assets/`, except while one works on the page. */
export const ROOT: string = import.meta.env.DEV ? new URL('/', here).href : new URL('../', here).href;
