/** The id of a section of the rules by its heading, for links to it. */
export const headingId = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
