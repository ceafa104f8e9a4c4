export { type Bilingual, INTERFACE_LANGUAGES, type InterfaceLanguage } from './bilingual.ts'
export {
  type Catalogue,
  createCatalogue,
  LANGUAGES,
  type Language,
  type Text,
  type Texts,
  type Translate,
} from './catalogue.ts'
export { type DateStyle, formatDate, formatNumber } from './formats.ts'
export { negotiate } from './negotiate.ts'
export {
  type FactNames,
  type FactsOf,
  listed,
  partsOf,
  type Said,
  type Sentence,
  SentenceBook,
  type SentenceTable,
  saidBoth,
  together,
} from './sentences.ts'
export { StoredWords } from './stored-words.ts'
