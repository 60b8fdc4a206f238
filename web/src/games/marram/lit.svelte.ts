/** Which claimed features are lit up: one that is pointed at, or all of them. Shared by the tray and the board. */
class Lit {
  all = $state(false);
  one: string | null = $state(null);
}
export const lit = new Lit();
