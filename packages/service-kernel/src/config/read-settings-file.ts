import { readFileSync } from 'node:fs'
import type { Parts } from './input.ts'
import { JsonProblem, parseJson } from './json-document.ts'
import type { Problem } from './problems.ts'

/** The settings file as it was written, or why it could not be read. */
export type SettingsFile = { readonly input: Parts } | { readonly problem: Problem }

/** Reads the file: UTF-8 JSON (a byte order mark is tolerated), one object per service and an optional `common`. */
export function readSettingsFile(file: string): SettingsFile {
  const text = readText(file)
  return typeof text === 'string' ? parseDocument(file, text) : { problem: text }
}

function readText(file: string): string | Problem {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8' : `cannot be read (${code})`
    return { kind: 'unreadable', key: 'settings file', source: file, sentence: `the file ${why}` }
  }
}

function parseDocument(file: string, text: string): SettingsFile {
  try {
    const input = parseJson(text, (position) => ({ kind: 'file', file, ...position }))
    return input.kind === 'parts' ? { input } : { problem: syntaxProblem(file, 'must be one JSON object') }
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error
    const { line, column } = error.position
    return { problem: syntaxProblem(`${file}:${line}:${column}`, `is not JSON: ${error.message}`) }
  }
}

const syntaxProblem = (source: string, sentence: string): Problem => ({
  kind: 'syntax',
  key: 'settings file',
  source,
  sentence,
})
