/** The languages of every interface. */
export const INTERFACE_LANGUAGES = ['pt-BR', 'en-US'] as const
export type InterfaceLanguage = (typeof INTERFACE_LANGUAGES)[number]

/** A text in each of them; one that is missing does not compile. */
export type Bilingual = Readonly<Record<InterfaceLanguage, string>>
