/**
 * The preferences that follow a person from browser to browser. Names, values and defaults come from the server's one list of
 * them (`src/wellies/server/preferences.py`).
 */
import schema from '../../schemas/preferences.json';
import type { Preferences } from './api/generated/preferences';

export type PreferenceName = keyof Preferences;
export type PreferenceValue = string | number | boolean;

interface Shape {
  default: PreferenceValue;
  type?: string;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
}

const SHAPES = schema.$defs.Preferences.properties as Record<PreferenceName, Shape>;

export const PREFERENCE_NAMES = Object.keys(SHAPES) as PreferenceName[];

export const PREFERENCE_DEFAULTS = Object.fromEntries(
  PREFERENCE_NAMES.map((name) => [name, SHAPES[name].default]),
) as unknown as Preferences;

export const isPreference = (name: string): name is PreferenceName => Object.hasOwn(SHAPES, name);

/** The values that a preference can have, in the order of the list; empty for switches and numbers. */
export const valuesOf = (name: PreferenceName): readonly string[] => SHAPES[name].enum ?? [];

/** Whether a preference can have this value. */
export function isValue(name: PreferenceName, value: unknown): value is PreferenceValue {
  const shape = SHAPES[name];
  if (shape.type === 'boolean') return typeof value === 'boolean';
  if (shape.type === 'integer')
    return Number.isInteger(value) && (value as number) >= shape.minimum! && (value as number) <= shape.maximum!;
  return typeof value === 'string' && (shape.enum ?? []).includes(value);
}
