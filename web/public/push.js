/* Push messages, as a part of the service worker. A message has a title, a text, the path that it leads to, and a tag: a
   newer message with the same tag takes the place of the older one. */

/** The last message is shown once this is done: a picture that comes late must not put an older message above a newer one. */
let shown = Promise.resolve();

self.addEventListener('push', (event) => {
  let alert = {};
  try {
    alert = event.data?.json() ?? {};
  } catch {
    // Not one of ours: a browser wants something to be shown all the same.
  }
  const { title = 'Wellies', text = '', path = '/', tag = 'wellies', kind = '' } = alert;
  const show = () =>
    self.registration.showNotification(title, {
      body: text,
      tag,
      renotify: kind !== 'test',
      icon: 'icon-192.png',
      badge: 'icon-192.png',
      data: { path },
    });
  shown = shown.then(show, show);
  event.waitUntil(shown);
});

/** Opens the table in a tab of ours that is there, else in a new one. */
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const target = new URL(event.notification.data?.path ?? '/', self.registration.scope);
  if (target.origin !== self.location.origin) return;
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then(async (tabs) => {
      const there = tabs.find((tab) => new URL(tab.url).pathname === target.pathname) ?? tabs[0];
      if (!there) return self.clients.openWindow(target.href);
      there.postMessage({ open: target.pathname + target.search });
      return there.focus().catch(() => undefined);
    }),
  );
});
