import type { Language, ThreeLanguage } from './languages.ts'

/** The keys of one language's texts, with free text in the leaves. */
type Translation<Texts> = { [Key in keyof Texts]: Texts[Key] extends string ? string : Translation<Texts[Key]> }

/** The same keys in every language: a missing or additional key does not compile. */
export type Catalogue<Texts> = Record<Language, Translation<Texts>>

/** The same for parts of pages in three languages. */
export type ThreeCatalogue<Texts> = Record<ThreeLanguage, Translation<Texts>>

/** The texts by namespace, for the keys that `t` accepts: modules with texts declare them here. */
// biome-ignore lint/suspicious/noEmptyInterface: the members come from the modules that hold the texts
export interface Namespaces {}
