import { cleanText } from './clean-text.ts'

/** One thing that a text of a template can show. */
interface Tag<Data> {
  /** In the words of the person who designs a template. */
  readonly label: string
  /** Undefined when the document does not have it. */
  readonly value: (data: Data) => string | undefined
}

export type TagTable<Data> = Readonly<Record<string, Tag<Data>>>

/** Short for rows of a table of tags. */
export const tagOf = <Data>(label: string, value: (data: Data) => string | number | undefined | false): Tag<Data> => ({
  label,
  value: (data) => {
    const shown = value(data)
    return shown === undefined || shown === false || shown === '' ? undefined : cleanText(String(shown))
  },
})
