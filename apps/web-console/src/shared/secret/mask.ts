/** The same for every secret: a mask of the secret's length would reveal the length. */
export const MASK = '••••••'
