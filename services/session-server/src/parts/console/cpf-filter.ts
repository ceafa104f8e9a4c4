/** A CPF as a filter gives it, with or without punctuation; nothing where none is given. */
export const cpfDigits = (text: string | undefined): string | undefined => text?.replaceAll(/\D/g, '') || undefined
