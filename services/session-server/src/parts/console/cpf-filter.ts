/** The digits of a CPF filter, with or without punctuation; undefined when none is given. */
export const cpfDigits = (text: string | undefined): string | undefined => text?.replaceAll(/\D/g, '') || undefined
