/** Push messages to this browser: whether they are possible and on, and turning them on and off. */
import { peopleApi } from './api/http';
import { IS_SITE } from './paths';

export type PushState = 'impossible' | 'forbidden' | 'off' | 'on';

const isPossible = (): boolean =>
  !IS_SITE && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

const subscription = async (): Promise<PushSubscription | null> => {
  const registration = await navigator.serviceWorker.getRegistration();
  return registration ? registration.pushManager.getSubscription() : null;
};

export async function pushState(): Promise<PushState> {
  if (!isPossible()) return 'impossible';
  if (Notification.permission === 'denied') return 'forbidden';
  return (await subscription().catch(() => null)) ? 'on' : 'off';
}

const text = (key: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0))))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

function bytes(key: string): Uint8Array<ArrayBuffer> {
  const plain = atob(key.replace(/-/g, '+').replace(/_/g, '/'));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** Asks the person, then lets this browser take push messages of the server with this key. Throws if that fails. */
export async function turnPushOn(serverKey: string): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error('The browser does not allow alerts of this page. Allow them in its settings.');
  const registration = await navigator.serviceWorker.ready;
  const made = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytes(serverKey),
  });
  await peopleApi.subscribePush({
    endpoint: made.endpoint,
    p256dh: text(made.getKey('p256dh')),
    auth: text(made.getKey('auth')),
  });
}

export async function turnPushOff(): Promise<void> {
  const made = await subscription();
  if (!made) return;
  await made.unsubscribe();
  await peopleApi.unsubscribePush(made.endpoint);
}
