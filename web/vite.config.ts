import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { enginePlugin } from './scripts/engine';
import { offlinePlugin } from './scripts/offline';
import { sitePlugin } from './scripts/site';
import { CUSTOM_MEDIA } from './src/lib/media';

const server = process.env.WELLIES_SERVER ?? 'http://127.0.0.1:8000';

/** Replaces custom media queries, such as `@media (--compact)`, in style sheets and components. */
const customMedia: Plugin = {
  name: 'custom-media',
  enforce: 'pre',
  transform(code, id) {
    if (!/\.css($|\?)/.test(id) || !code.includes('(--')) return;
    return code.replace(/@media ([^{]*)\{/g, (_, query: string) => {
      const found = query.replace(/\((--[\w-]+)\)/g, (_, name: string) => {
        const value = CUSTOM_MEDIA[name];
        if (value === undefined) throw new Error(`${id}: no media query is called ${name}; see src/lib/media.ts`);
        return value;
      });
      return `@media ${found}{`;
    });
  },
};

export default defineConfig(({ mode }) => ({
  // A server answers paths of any depth with the page; a static host has one page, in any folder.
  base: mode === 'site' ? './' : '/',
  plugins: [customMedia, svelte(), enginePlugin(), offlinePlugin(mode === 'site'), mode === 'site' && sitePlugin],
  worker: { format: 'es' },
  build: {
    outDir: mode === 'site' ? '../dist/site' : '../src/wellies/server/page',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 150,
  },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
}));
