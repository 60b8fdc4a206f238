/** What `scripts/engine.ts` tells the page of the engine. */
declare module 'virtual:engine' {
  const engine: import('../../../scripts/engine').Engine;
  export default engine;
}
