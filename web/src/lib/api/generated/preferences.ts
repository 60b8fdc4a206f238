// Made by `npm run types` from schemas/preferences.json. Do not edit.

export interface Shapes {
  Preferences?: Preferences;
}
/**
 * What follows a person from browser to browser.
 */
export interface Preferences {
  /**
   * How much room the board takes; `large` hides the log.
   */
  board: 'normal' | 'large';
  /**
   * Whether a move is confirmed before it is sent.
   */
  confirm: boolean;
  /**
   * Whether the board shows the names of its spaces.
   */
  coordinates: boolean;
  /**
   * The level of bots for quick games.
   */
  level: 'drizzle' | 'shower' | 'storm' | 'monsoon';
  /**
   * How numbers and dates are written; empty: as the browser does.
   */
  locale:
    | ''
    | 'cs-CZ'
    | 'da-DK'
    | 'de-AT'
    | 'de-CH'
    | 'de-DE'
    | 'en-AU'
    | 'en-CA'
    | 'en-GB'
    | 'en-US'
    | 'es-ES'
    | 'es-MX'
    | 'fi-FI'
    | 'fr-CA'
    | 'fr-FR'
    | 'it-IT'
    | 'ja-JP'
    | 'ko-KR'
    | 'nb-NO'
    | 'nl-NL'
    | 'pl-PL'
    | 'pt-BR'
    | 'pt-PT'
    | 'sv-SE'
    | 'tr-TR'
    | 'uk-UA'
    | 'zh-CN'
    | 'zh-TW';
  /**
   * Whether things move; `system` follows the device.
   */
  motion: 'system' | 'full' | 'none';
  /**
   * Whether a guide is offered at the first game of a kind.
   */
  offer: boolean;
  /**
   * Whether every colour also has a pattern.
   */
  patterns: boolean;
  /**
   * Whether a move that was planned is played as soon as it is one's turn.
   */
  play_plans: boolean;
  /**
   * Whether places show the points that a move would score there.
   */
  points: boolean;
  /**
   * Whether undo and hint are always visible beside the board.
   */
  shortcuts: boolean;
  /**
   * Whether sounds play.
   */
  sound: boolean;
  /**
   * The speed of animations and of the moves of others.
   */
  speed: 'slow' | 'normal' | 'fast' | 'fastest';
  /**
   * Light or dark; `system` follows the device.
   */
  theme: 'system' | 'light' | 'dark';
  /**
   * How loud sounds are, in percent.
   */
  volume: number;
}
