// Forms as bytes: they change with the program alone, so that each is made once.
import { hash } from 'node:crypto'
import type { FormKind } from '../../contract/forms.ts'
import { type Language, layoutForm } from '../../rules/forms.ts'

interface ServedForm {
  readonly json: string
  readonly etag: string
}

const served = new Map<string, ServedForm>()

/** The form of a kind in a language, with what its bytes are known by. */
export function readForm(kind: FormKind, locale: string): ServedForm {
  const language: Language = locale.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en-US'
  const key = `${kind} ${language}`
  const known = served.get(key)
  if (known) return known
  const json = JSON.stringify(layoutForm(kind, language))
  const form = { json, etag: `"${hash('sha256', json, 'base64url')}"` }
  served.set(key, form)
  return form
}
