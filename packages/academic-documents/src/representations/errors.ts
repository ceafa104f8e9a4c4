/** Why a representation cannot be drawn, or a template cannot be used. */
const representationProblems = {
  'template.invalid': 'The template is not as it should be: {reason}.',
  'template.unknown-tag': 'No tag is called {tag}. Known are: {known}.',
  'template.broken-text': 'A text of the template cannot be read: {reason}.',
  'template.unknown-picture': 'The template has no picture called {picture}.',
  'picture.unsupported': 'The picture {picture} cannot be used: {reason}.',
  'content.letter': 'No typeface has the letter {letter}.',
  'content.too-long': 'A part of the page is too small for its text, even in the smallest letters: {part}.',
  'content.address': 'The public address cannot be used: {reason}.',
  'content.code': '{value} is no validation code.',
  'content.date': '{value} is not a date such as 2026-11-17.',
} as const

export type RepresentationCode = keyof typeof representationProblems

/** Input that cannot be drawn. `details` has what the sentence names. */
export class RepresentationProblem extends Error {
  override readonly name = 'RepresentationProblem'
  readonly code: RepresentationCode
  readonly details: Readonly<Record<string, string>>

  constructor(code: RepresentationCode, details: Readonly<Record<string, string>>) {
    super(representationProblems[code].replace(/\{(\w+)\}/g, (_, key: string) => details[key] ?? ''))
    this.code = code
    this.details = details
  }
}
