import { type ClaimsReport, claimed, type PlaceReport } from '../report/claims.ts'
import { type Finding, finding, type ReferenceReport } from '../report/report.ts'
import { commitmentName } from '../signing/signer-claims.ts'
import type { XmlIndex } from '../xml/xml-index.ts'
import type { ReadSignature } from './resolve-contents.ts'
import { XADES } from './vocabulary.ts'

/** What a signer states in the signed properties. One that cannot be read is left out, with a warning. */
export function claimsOf(
  index: XmlIndex,
  signedProperties: number,
  findings: Finding[],
): { readonly claims?: ClaimsReport } {
  const texts = (claim: string, ...path: readonly string[]) =>
    below(index, signedProperties, path).flatMap((element) => textOf(index, element, claim, findings))
  const [place] = PLACES.flatMap((name) => below(index, signedProperties, [OF_SIGNATURE, name]))
  const [format] = contentFormats(index, signedProperties)
  return claimed({
    roles: ROLES.flatMap((name) => texts('role', OF_SIGNATURE, name, 'ClaimedRoles', 'ClaimedRole')),
    commitments: texts('commitment', OF_CONTENT, 'CommitmentTypeIndication', 'CommitmentTypeId', 'Identifier').map(
      (identifier) => commitmentName(identifier.trim()),
    ),
    place: place === undefined ? null : placeAt(index, place, findings),
    mimeType: format?.mimeType ?? null,
    description: format?.description ?? null,
  })
}

const OF_SIGNATURE = 'SignedSignatureProperties'
const OF_CONTENT = 'SignedDataObjectProperties'
const ROLES = ['SignerRole', 'SignerRoleV2']
const PLACES = ['SignatureProductionPlace', 'SignatureProductionPlaceV2']

/** The elements at the end of a path of XAdES names. */
const below = (index: XmlIndex, element: number, path: readonly string[]): number[] =>
  path.reduce<number[]>((from, local) => from.flatMap((one) => index.childrenNamed(one, XADES, local)), [element])

function textOf(index: XmlIndex, element: number, claim: string, findings: Finding[]): string[] {
  const text = index.text(element)
  if (text === undefined) findings.push(finding('claim-unreadable', { claim }))
  return text === undefined ? [] : [text]
}

const PLACE_PARTS = {
  City: 'city',
  StreetAddress: 'street',
  StateOrProvince: 'state',
  PostalCode: 'postalCode',
  CountryName: 'country',
} as const satisfies Record<string, keyof PlaceReport>

const placeAt = (index: XmlIndex, place: number, findings: Finding[]): PlaceReport =>
  Object.fromEntries(
    Object.entries(PLACE_PARTS).flatMap(([local, part]) =>
      index
        .childrenNamed(place, XADES, local)
        .flatMap((element) => textOf(index, element, 'place', findings).map((text) => [part, text])),
    ),
  )

type Format = Pick<ReferenceReport, 'mimeType' | 'description' | 'encoding'> & { readonly reference: string }

/** EN 319 132-1 §5.2.4: what each content is said to be, by the reference it is said of. */
const contentFormats = (index: XmlIndex, signedProperties: number): Format[] =>
  below(index, signedProperties, [OF_CONTENT, 'DataObjectFormat']).map((format) => {
    const said = (local: string) => below(index, format, [local]).flatMap((element) => index.text(element) ?? [])[0]
    return {
      reference: index.attribute(format, 'ObjectReference') ?? '',
      mimeType: said('MimeType') ?? null,
      description: said('Description') ?? null,
      encoding: said('Encoding') ?? null,
    }
  })

/** Every content of a signature: where it is, whether it is what was signed, what it is said to be. */
export function referenceReports(index: XmlIndex, { signature, references }: ReadSignature): ReferenceReport[] {
  const properties = signature?.signedProperties
  const formats = properties === undefined ? [] : contentFormats(index, properties)
  return references.map(({ reference, resolved, check, inManifest }) => {
    const format = formats.find((one) => reference.id !== undefined && one.reference === `#${reference.id}`)
    return {
      uri: reference.uri ?? '',
      path: resolved?.source === 'document' ? index.path(resolved.apex ?? 0) : null,
      content: check,
      inManifest,
      mimeType: format?.mimeType ?? null,
      description: format?.description ?? null,
      encoding: format?.encoding ?? null,
    }
  })
}
