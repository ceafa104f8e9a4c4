/** Code → what it means, in one English sentence. One table per folder of the engine. */
export type ErrorVocabulary = Readonly<Record<string, string>>

/** What the engine throws when the caller's input, key or network is at fault. Anything else that escapes is a bug. */
export class EngineError<Code extends string = string> extends Error {
  override readonly name = 'EngineError'
  readonly code: Code
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: Code, message: string, details?: Readonly<Record<string, unknown>>, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.details = details
  }
}

/** Binds a vocabulary, so that a folder can only refuse with a code of its table. */
export function refuser<V extends ErrorVocabulary>(vocabulary: V) {
  return <C extends keyof V & string>(code: C, details?: Readonly<Record<string, unknown>>, cause?: unknown) =>
    new EngineError<C>(code, sentence(vocabulary[code] ?? String(code), details), details, cause)
}

/** `{name}` in a sentence is replaced by the detail of that name. */
function sentence(template: string, details: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    name in details ? String(details[name]) : placeholder,
  )
}
