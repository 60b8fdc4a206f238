/** Numbers and dates as the person likes them written: in the language that they chose, or in that of the browser. */
import { settings } from './settings.svelte';

const language = (): string | undefined => settings.values.locale || undefined;

export const numberText = (number: number): string => new Intl.NumberFormat(language()).format(number);

/** A number with one place behind the point. */
export const decimalText = (number: number): string =>
  new Intl.NumberFormat(language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(number);

/** A day. */
export const dateText = (time: number): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(time);

/** A day of the calendar (UTC) with its weekday. */
export const weekdayText = (time: number): string =>
  new Intl.DateTimeFormat(language() ?? 'en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(time);

/** A day and the time. */
export const momentText = (time: number): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(time);

/** The name of a language and its country, in that language. */
export function localeName(locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
