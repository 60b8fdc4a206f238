/** Short synthesized sounds. Nothing is downloaded, and nothing plays before the person's first click or touch. */
import { settings } from './settings.svelte';

let context: AudioContext | null = null;

function ready(): AudioContext | null {
  if (!settings.values.sound || typeof AudioContext === 'undefined') return null;
  if (!navigator.userActivation?.hasBeenActive) return null;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  return context;
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
  volume.gain.linearRampToValueAtTime(loud, start + 0.008);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
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
