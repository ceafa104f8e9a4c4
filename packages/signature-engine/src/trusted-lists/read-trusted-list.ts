import { requireArguments } from '../errors/arguments.ts'
import { EngineError } from '../errors/engine-error.ts'
import { Certificate } from '../x509/certificate.ts'
import { ROOT, type XmlIndex } from '../xml/xml-index.ts'
import { scanXml } from '../xml/xml-scanner.ts'
import { refuseTrustedList } from './errors.ts'
import type { ServiceStatus, TrustedList, TrustedListPointer, TrustService } from './trusted-list.ts'

const TSL = 'http://uri.etsi.org/02231/v2#'
const ADDITIONAL = 'http://uri.etsi.org/02231/v2/additionaltypes#'
const XML = 'http://www.w3.org/XML/1998/namespace'

/** The largest of Europe have some ten megabytes. */
const MAX_LIST_BYTES = 64 * 1024 * 1024

/** Reads what a list says. Whether it is genuine is for `openTrustedList`. */
export function readTrustedList(bytes: Uint8Array): TrustedList {
  requireArguments('readTrustedList', { bytes: [bytes, 'bytes'] })
  if (bytes.length > MAX_LIST_BYTES) throw refuseTrustedList('trusted-list.too-large', { limit: MAX_LIST_BYTES })
  try {
    return new ListReader(scanXml(bytes)).list()
  } catch (error) {
    if (!(error instanceof EngineError) || error.code.startsWith('trusted-list.')) throw error
    throw refuseTrustedList('trusted-list.unreadable', { reason: error.message }, error)
  }
}

/** Reads the elements of TS 119 612 §5.3 to §5.5 by their names; their order and what else there is do not matter. */
class ListReader {
  readonly #xml: XmlIndex

  constructor(xml: XmlIndex) {
    this.#xml = xml
  }

  list(): TrustedList {
    if (!this.#xml.is(ROOT, TSL, 'TrustServiceStatusList')) throw unreadable('its root element is another one.')
    const scheme = this.#one(ROOT, 'SchemeInformation')
    const nextUpdate = this.#all(scheme, 'NextUpdate', 'dateTime')[0]
    return {
      version: this.#number(scheme, 'TSLVersionIdentifier'),
      sequence: this.#number(scheme, 'TSLSequenceNumber'),
      type: this.#text(scheme, 'TSLType'),
      operator: this.#name(this.#one(scheme, 'SchemeOperatorName')),
      territory: this.#text(scheme, 'SchemeTerritory'),
      issuedAt: timeOf(this.#text(scheme, 'ListIssueDateTime')),
      nextUpdate: nextUpdate === undefined ? null : timeOf(this.#xml.text(nextUpdate) ?? ''),
      pointers: this.#all(scheme, 'PointersToOtherTSL', 'OtherTSLPointer').map((pointer) => this.#pointer(pointer)),
      services: this.#all(ROOT, 'TrustServiceProviderList', 'TrustServiceProvider').flatMap((one) =>
        this.#services(one),
      ),
    }
  }

  #pointer(pointer: number): TrustedListPointer {
    return {
      location: this.#text(pointer, 'TSLLocation'),
      territory: this.#told(pointer, TSL, 'SchemeTerritory'),
      type: this.#told(pointer, TSL, 'TSLType'),
      mimeType: this.#told(pointer, ADDITIONAL, 'MimeType'),
      signers: this.#certificates(this.#all(pointer, 'ServiceDigitalIdentities', 'ServiceDigitalIdentity')),
    }
  }

  #services(provider: number): TrustService[] {
    const name = this.#name(this.#all(provider, 'TSPInformation', 'TSPName')[0])
    return this.#all(provider, 'TSPServices', 'TSPService').map((service) => this.#service(name, service))
  }

  #service(provider: string, service: number): TrustService {
    const information = this.#one(service, 'ServiceInformation')
    const all = [information, ...this.#all(service, 'ServiceHistory', 'ServiceHistoryInstance')]
    const begun = all.map((one) => this.#status(one)).toSorted((a, b) => b.from.getTime() - a.from.getTime())
    return {
      provider,
      name: this.#name(this.#all(information, 'ServiceName')[0]),
      certificates: this.#certificates(all.flatMap((one) => this.#all(one, 'ServiceDigitalIdentity'))),
      statuses: begun.map((status, index) => ({ ...status, until: begun[index - 1]?.from ?? null })),
    }
  }

  #status(information: number): Omit<ServiceStatus, 'until'> {
    return {
      type: this.#text(information, 'ServiceTypeIdentifier'),
      status: this.#text(information, 'ServiceStatus'),
      usages: this.#xml
        .findAll(TSL, 'AdditionalServiceInformation', information)
        .flatMap((one) => this.#all(one, 'URI').map((uri) => (this.#xml.text(uri) ?? '').trim())),
      from: timeOf(this.#text(information, 'StatusStartingTime')),
    }
  }

  /** A certificate that cannot be read is left out: it could anchor nothing. */
  #certificates(identities: readonly number[]): Certificate[] {
    const elements = identities.flatMap((identity) => this.#all(identity, 'DigitalId', 'X509Certificate'))
    return [...new Set(elements.flatMap((element) => certificateIn(this.#xml.text(element) ?? '')))]
  }

  /** Elements below an element, down these names. */
  #all(within: number, ...names: readonly string[]): number[] {
    return names.reduce((found, name) => found.flatMap((one) => this.#xml.childrenNamed(one, TSL, name)), [
      within,
    ] as number[])
  }

  #one(within: number, name: string): number {
    const [element] = this.#all(within, name)
    if (element === undefined) throw unreadable(`it has no ${name}.`)
    return element
  }

  #text(within: number, name: string): string {
    return (this.#xml.text(this.#one(within, name)) ?? '').trim()
  }

  /** The text of an element at any depth; null when there is none. */
  #told(within: number, namespace: string, name: string): string | null {
    const [element] = this.#xml.findAll(namespace, name, within)
    return element === undefined ? null : (this.#xml.text(element) ?? '').trim()
  }

  /** One of several languages, English if it is among them. */
  #name(element: number | undefined): string {
    const named = element === undefined ? [] : this.#all(element, 'Name')
    const chosen = named.find((one) => this.#xml.attribute(one, 'lang', XML) === 'en') ?? named[0]
    return chosen === undefined ? '' : (this.#xml.text(chosen) ?? '').trim()
  }

  #number(within: number, name: string): number {
    const text = this.#text(within, name)
    if (!/^\d{1,15}$/.test(text)) throw unreadable(`its ${name} is no number.`)
    return Number(text)
  }
}

function certificateIn(base64: string): Certificate[] {
  try {
    return [Certificate.read(Buffer.from(base64, 'base64'))]
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return []
  }
}

/** xs:dateTime, which must tell its zone. */
function timeOf(text: string): Date {
  const time = /^\s*\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)\s*$/.test(text) ? new Date(text.trim()) : undefined
  if (!time || Number.isNaN(time.getTime())) throw unreadable('a time is none.')
  return time
}

const unreadable = (reason: string) => refuseTrustedList('trusted-list.unreadable', { reason })
