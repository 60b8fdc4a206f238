/** Short synthesized sounds. Nothing is downloaded, and nothing plays before the person's first click or touch. */
import { settings } from './settings.svelte';

let context: AudioContext | null = null;
let sounding = 0;

function ready(): AudioContext | null {
  if (!settings.values.sound || !settings.values.volume || typeof AudioContext === 'undefined') return null;
  if (!navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  // Without a tone it may be on its way to rest, and its state does not say so yet.
  if (sounding === 0 || context.state === 'suspended') void context.resume();
  return context;
}

/** How much louder or softer than designed: the middle of the scale is as designed. */
export const loudness = (): number => settings.values.volume / 50;
/** A device that plays silence costs as much as one that plays music, so it rests once all tones have ended. */
function ended(): void {
  sounding -= 1;
  if (sounding === 0) void context?.suspend();
}

function tone(at: number, from: number, to: number, length: number, loud: number, type: OscillatorType = 'sine'): void {
  const audio = context;
  if (!audio) return;
  const start = audio.currentTime + at;
  const voice = audio.createOscillator();
  const volume = audio.createGain();
  voice.type = type;
  voice.frequency.setValueAtTime(from, start);
  voice.frequency.exponentialRampToValueAtTime(to, start + length);
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud * loudness(), start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  sounding += 1;
  voice.onended = ended;
  voice.connect(volume).connect(audio.destination);
  voice.start(start);
  voice.stop(start + length + 0.02);
}

const SOUNDS = {
  /** A piece is placed: a drop of water. */
  place: () => (tone(0, 420, 180, 0.09, 0.16, 'triangle'), tone(0.05, 620, 1150, 0.1, 0.07)),
  score: () =>
    [0, 4, 7].forEach((step, i) => tone(0.08 + i * 0.07, 523 * 2 ** (step / 12), 523 * 2 ** (step / 12), 0.3, 0.07)),
  turn: () => (tone(0, 659, 659, 0.5, 0.09), tone(0.12, 880, 880, 0.6, 0.07)),
  no: () => tone(0, 190, 130, 0.16, 0.12, 'triangle'),
  chat: () => tone(0, 1050, 1250, 0.08, 0.06),
  end: () =>
    [0, 4, 7, 12, 16].forEach((step, i) => tone(i * 0.12, 392 * 2 ** (step / 12), 392 * 2 ** (step / 12), 0.6, 0.08)),
} as const;

export type Sound = keyof typeof SOUNDS;

export function playSound(sound: Sound): void {
  if (ready()) SOUNDS[sound]();
}
