import { EngineError } from '@chancela/signature-engine'
import { scanXml } from '@chancela/signature-engine/xml'
import {
  ParseOption,
  XmlBufferInputProvider,
  XmlDocument,
  XmlError,
  XmlLibError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm'
import { type DocumentKind, type LayoutVersion, MEC_NAMESPACES } from '../kinds.ts'
import { entryFile, repaired, schemaFiles } from './schema-files.ts'

export interface SecondVerdict {
  readonly valid: boolean
  /** What the schema processor says, in its own words. */
  readonly messages: readonly { readonly line: number; readonly message: string }[]
}

/** Official files that do not form a schema. */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem'
}

// The library asks its input providers by name, for the whole process: one serves every judge, each under its own folder.
const provider = new XmlBufferInputProvider({})
let isRegistered = false
let judges = 0

const SCHEME = 'chancela-schemas:'

/** Judges documents by the official schemas, in the same process and without network; compiled schemas are kept. */
export class SecondJudge {
  readonly #version: LayoutVersion
  readonly #folder: string
  readonly #files: ReadonlyMap<string, Uint8Array>
  readonly #validators = new Map<DocumentKind, XsdValidator>()

  /** `files` by their official names; refused with a SchemaProblem when one is missing. */
  constructor(version: LayoutVersion, files: ReadonlyMap<string, Uint8Array>) {
    const missing = schemaFiles(version).filter((name) => !files.has(name))
    if (missing.length > 0) throw new SchemaProblem(`Files of layout ${version} are missing: ${missing.join(', ')}.`)
    this.#version = version
    this.#folder = `${SCHEME}/${++judges}/`
    this.#files = new Map(schemaFiles(version).map((name) => [name, repaired(files.get(name)!)]))
    if (!isRegistered) xmlRegisterInputProvider(provider)
    isRegistered = true
    for (const [name, bytes] of this.#files) provider.addBuffer(this.#folder + name, bytes)
  }

  /** Compiles the schema of a kind, or refuses with a SchemaProblem. Done by itself at the first verdict. */
  compile(kind: DocumentKind): XsdValidator {
    const known = this.#validators.get(kind)
    if (known !== undefined) return known
    const made = this.#compiled(entryFile(kind, this.#version))
    this.#validators.set(kind, made)
    return made
  }

  /** The verdict on a document; both forms of the namespace are read. */
  verdict(bytes: Uint8Array, kind: DocumentKind): SecondVerdict {
    const unreadable = scanProblem(bytes)
    if (unreadable !== undefined) return { valid: false, messages: [{ line: 1, message: unreadable }] }
    const validator = this.compile(kind)
    try {
      const document = XmlDocument.fromBuffer(underHttp(bytes), { option: ParseOption.XML_PARSE_NONET })
      try {
        validator.validate(document)
      } finally {
        document.dispose()
      }
      return { valid: true, messages: [] }
    } catch (error) {
      return { valid: false, messages: messagesOf(error) }
    }
  }

  /** Frees what the compiled schemas hold; the judge is of no use afterwards. */
  dispose(): void {
    for (const validator of this.#validators.values()) validator.dispose()
    this.#validators.clear()
    for (const name of this.#files.keys()) provider.removeBuffer(this.#folder + name)
  }

  #compiled(entry: string): XsdValidator {
    try {
      const schema = XmlDocument.fromBuffer(this.#files.get(entry)!, {
        url: this.#folder + entry,
        option: ParseOption.XML_PARSE_NONET,
      })
      try {
        return XsdValidator.fromDoc(schema)
      } finally {
        schema.dispose()
      }
    } catch (error) {
      throw new SchemaProblem(
        `${entry} is no schema: ${messagesOf(error)
          .map(({ message }) => message)
          .join(' ')}`,
      )
    }
  }
}

/** Our own scanner goes first: it expands nothing and has limits. */
function scanProblem(bytes: Uint8Array): string | undefined {
  try {
    scanXml(bytes).release()
    return undefined
  } catch (error) {
    if (error instanceof EngineError) return error.message
    throw error
  }
}

function underHttp(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (!text.includes(MEC_NAMESPACES.https)) return text
  return repaired(text)
}

function messagesOf(error: unknown): SecondVerdict['messages'] {
  if (error instanceof XmlLibError) return error.details.map(({ line, message }) => ({ line, message: message.trim() }))
  if (error instanceof XmlError) return [{ line: 1, message: error.message }]
  throw error
}
