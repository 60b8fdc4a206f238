/**
 * Media queries that more than one style sheet or module uses. vite.config.ts replaces `(--name)` in the style sheets:
 * `@media (--compact)` reads as the query of that name.
 */

/** A phone that is held upright. */
export const NARROW = '(max-width: 40rem)';

/** A phone on its side: the board has the whole height, and everything else is beside it. */
export const PHONE_LANDSCAPE = '(max-width: 60rem) and (max-height: 30rem) and (orientation: landscape)';

/** A window in which boards are arranged from top to bottom. */
export const PORTRAIT = '(max-width: 40rem), (max-aspect-ratio: 9/10)';

/** The queries that style sheets use, by their names there. */
export const CUSTOM_MEDIA: Readonly<Record<string, string>> = {
  '--narrow': NARROW,
  '--phone-landscape': PHONE_LANDSCAPE,
  '--compact': `${NARROW}, ${PHONE_LANDSCAPE}`,
};
