/** A verification code as typed from paper: in any case, with hyphens or spaces. */
export const readCode = (typed: string): string => typed.replaceAll(/[\s-]/g, '').toUpperCase()

/** A code in groups, so that it can be compared with the one on paper. */
export const groupedCode = (code: string): string => code.match(/.{1,4}/g)?.join('-') ?? code
