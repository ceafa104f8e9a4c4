import { createHmac } from 'node:crypto'
import { tooComplex } from '../errors.ts'
import {
  isArray,
  isDict,
  isStream,
  isString,
  nameOf,
  type PdfDict,
  type PdfObject,
  type PdfRef,
  type PdfStream,
  type PdfString,
} from '../pdf-object.ts'
import { type CryptMethod, ciphers } from './crypt-method.ts'
import type { EncryptionTerms } from './encryption-dictionary.ts'

/** A stream with its dictionary changed; the data of one in a file is read when it is asked for. */
type OfStream = (stream: PdfStream, dict: PdfDict) => PdfStream

type Transform = (data: Uint8Array, method: CryptMethod) => Uint8Array

/**
 * Decrypts objects as they are read, and encrypts those that an update adds, each with its own key (ISO 32000-2
 * §7.6.3). What is inside an object stream is encrypted with the stream, and not again.
 */
export class ObjectCipher {
  private readonly key: Buffer
  private readonly terms: EncryptionTerms
  /** Bytes of streams that may still be decrypted: objects of a crafted file may share them. */
  private left: number

  constructor(key: Buffer, terms: EncryptionTerms, mostBytes: number) {
    this.key = key
    this.terms = terms
    this.left = mostBytes
  }

  /** An object as its file has it, in clear; the data of a stream only when somebody asks for it. */
  decrypted(value: PdfObject, ref: PdfRef): PdfObject {
    const decrypt: Transform = (data, method) => {
      const { keyFor, decrypt } = ciphers[method]
      return decrypt(keyFor(this.key, ref), data)
    }
    const ofStream: OfStream = (stream, dict) => new DecryptedStream(stream, dict, this.onceDecrypted(stream, decrypt))
    return this.transformed(value, decrypt, ofStream)
  }

  /**
   * An object as the file is to have it. `version` names the update: the same again gives the same bytes, and another
   * one other initialization vectors, which depend on the key and the data too, so that nobody can foresee them.
   */
  encrypted(value: PdfObject, ref: PdfRef, version: string): PdfObject {
    const encrypt: Transform = (data, method) => {
      const { keyFor, encrypt } = ciphers[method]
      const iv = createHmac('sha256', this.key).update(`${version} ${ref.num} ${ref.gen} `).update(data).digest()
      return encrypt(keyFor(this.key, ref), data, iv.subarray(0, 16))
    }
    return this.transformed(value, encrypt, (stream, dict) => ({
      kind: 'stream',
      dict,
      raw: encrypt(stream.raw, this.methodOf(stream.dict)),
    }))
  }

  private onceDecrypted(stream: PdfStream, decrypt: Transform): () => Uint8Array {
    const method = this.methodOf(stream.dict)
    return () => {
      this.left -= stream.raw.length
      if (this.left < 0) throw tooComplex('the streams share too many encrypted bytes')
      return decrypt(stream.raw, method)
    }
  }

  private transformed(value: PdfObject, change: Transform, ofStream: OfStream): PdfObject {
    if (isString(value)) return changedString(value, change(value.bytes, this.terms.strings))
    if (isArray(value)) return value.map((element) => this.transformed(element, change, ofStream))
    if (isDict(value)) return this.transformedDict(value, change, ofStream)
    if (!isStream(value) || isCrossReference(value)) return value
    return ofStream(value, this.transformedDict(value.dict, change, ofStream))
  }

  private transformedDict(dict: PdfDict, change: Transform, ofStream: OfStream): PdfDict {
    const inClear = isSignature(dict) ? 'Contents' : undefined
    return new Map(
      [...dict].map(([key, value]) => [key, key === inClear ? value : this.transformed(value, change, ofStream)]),
    )
  }

  /** The method of one stream: its own /Crypt filter, or the one of its kind (ISO 32000-2 §7.6.6). */
  private methodOf(dict: PdfDict): CryptMethod {
    const { streams, embeddedFiles, encryptsMetadata, methodOf } = this.terms
    const own = cryptFilterOf(dict)
    if (own !== undefined) return methodOf(own)
    const type = nameOf(dict.get('Type'))
    if (type === 'Metadata' && !encryptsMetadata) return 'identity'
    return type === 'EmbeddedFile' ? embeddedFiles : streams
  }
}

/** The same string elsewhere: its token in the file is where it was. */
const changedString = (string: PdfString, bytes: Uint8Array): PdfString => ({ ...string, bytes })

/** Cross-references are read before anything can be decrypted (ISO 32000-2 §7.5.8.2). */
const isCrossReference = ({ dict }: PdfStream): boolean => nameOf(dict.get('Type')) === 'XRef'

/** /Contents of a signature is in clear (ISO 32000-2 §7.6.2): it is filled in when the rest has been signed. */
const isSignature = (dict: PdfDict): boolean =>
  dict.has('ByteRange') || ['Sig', 'DocTimeStamp'].includes(nameOf(dict.get('Type')) ?? '')

function cryptFilterOf(dict: PdfDict): string | undefined {
  const [filters, parameters] = [listOf(dict.get('Filter')), listOf(dict.get('DecodeParms'))]
  const at = filters.findIndex((filter) => nameOf(filter) === 'Crypt')
  if (at < 0) return undefined
  const own = parameters[at]
  return (isDict(own) && nameOf(own.get('Name'))) || 'Identity'
}

const listOf = (value: PdfObject | undefined): readonly PdfObject[] =>
  value === undefined ? [] : isArray(value) ? value : [value]

/** A stream whose data is decrypted once it is asked for: most streams of a file never are. */
class DecryptedStream implements PdfStream {
  readonly kind = 'stream'
  readonly dict: PdfDict
  readonly start?: number
  private readonly decrypt: () => Uint8Array
  private data: Uint8Array | undefined

  constructor({ start }: PdfStream, dict: PdfDict, decrypt: () => Uint8Array) {
    this.dict = dict
    if (start !== undefined) this.start = start
    this.decrypt = decrypt
  }

  get raw(): Uint8Array {
    this.data ??= this.decrypt()
    return this.data
  }
}
