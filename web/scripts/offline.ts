/**
 * Makes the page installable: a manifest, and a service worker that keeps all files of the page in the browser, so that it
 * opens without a network. The engine is not among them: it is loaded when it is first needed, and kept then.
 */
import type { Plugin } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { ENGINE_CACHE, ENGINE_FILES } from '../src/lib/engineCache';

/** The server's own addresses, which are no pages. */
const NOT_PAGES = [/^\/(api|ws|health|ready|metrics)([/?]|$)/, /^[^?]*\/[^/?]*\.[^/?]*(\?|$)/];

export function offlinePlugin(isSite: boolean): Plugin[] {
  return VitePWA({
    // A new version waits until a person agrees, or until all tabs are closed: see src/lib/updates.svelte.ts.
    registerType: 'prompt',
    injectRegister: false,
    manifest: {
      name: 'Wellies: rainy-day board games',
      short_name: 'Wellies',
      description: 'Rainy-day board games with friends and bots, with or without a network.',
      lang: 'en',
      categories: ['games'],
      display: 'standalone',
      start_url: '.',
      scope: '.',
      theme_color: '#f4eddd',
      background_color: '#f4eddd',
      icons: [
        { src: 'icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
        { src: 'icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
        { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
    },
    // The plugin lists the icons of the manifest by itself; here are those that only index.html names.
    includeAssets: ['icon-apple-180.png'],
    workbox: {
      globPatterns: ['**/*.{html,js,css,svg,woff2}', '**/catalogue-*.json'],
      globIgnores: ['assets/engine-*/**/*.{mjs,wasm,zip}'],
      // A server answers each path with the page. On a static host only the folder itself is the page.
      navigateFallback: isSite ? null : 'index.html',
      navigateFallbackDenylist: NOT_PAGES,
      cleanupOutdatedCaches: true,
      // The first visit already has all it needs without a network.
      clientsClaim: true,
      inlineWorkboxRuntime: true,
      // Push messages come from a server.
      importScripts: isSite ? [] : ['push.js'],
      runtimeCaching: [
        {
          urlPattern: ENGINE_FILES,
          handler: 'CacheFirst',
          options: { cacheName: ENGINE_CACHE, matchOptions: { ignoreVary: true } },
        },
      ],
    },
  });
}
