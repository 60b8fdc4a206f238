/** How many games wait for me, where it can be seen without looking at the page: on its icons. */

const ICON = 'icon.svg';
let drawn = 0;

/** Draws a number on the icon of the page's tab, and sets it on the installed page. 0 takes it away. */
export function showBadge(count: number): void {
  if (count === drawn) return;
  drawn = count;
  if (count) navigator.setAppBadge?.(count).catch(() => undefined);
  else navigator.clearAppBadge?.().catch(() => undefined);
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  link.dataset.plain ??= link.href;
  const plain = link.dataset.plain;
  if (!count) {
    link.href = plain;
    link.type = 'image/svg+xml';
    return;
  }
  const image = new Image();
  image.onload = () => {
    if (drawn !== count) return;
    link.type = 'image/png';
    link.href = withNumber(image, count);
  };
  image.src = plain || ICON;
}

function withNumber(image: HTMLImageElement, count: number): string {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d');
  if (!pen) return image.src;
  pen.drawImage(image, 0, 0, 64, 64);
  pen.fillStyle = '#b3261e';
  pen.beginPath();
  pen.arc(43, 43, 21, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = '#fff';
  pen.font = `800 ${count > 9 ? 24 : 32}px sans-serif`;
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.fillText(count > 99 ? '99' : String(count), 43, 45);
  return canvas.toDataURL('image/png');
}

/** The title of a page with the number of games that wait for me. */
export const titleWith = (title: string, count: number): string => (count ? `(${count}) ${title}` : title);
