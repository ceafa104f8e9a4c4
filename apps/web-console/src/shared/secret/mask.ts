/** Stands for every secret alike: a mask as long as the secret would tell its length. */
export const MASK = '••••••'
