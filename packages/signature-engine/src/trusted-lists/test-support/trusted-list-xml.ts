// Trusted lists as schemes publish them, made for tests.
import type { Certificate } from '../../x509/certificate.ts'

interface WrittenStatus {
  /** The last step of the URI. */
  readonly status: string
  readonly from: string
  /** Default CA/QC. */
  readonly type?: string
  readonly usages?: readonly string[]
  readonly certificates?: readonly Certificate[]
}

export interface WrittenService {
  readonly name: string
  /** The newest first. */
  readonly statuses: readonly [WrittenStatus, ...WrittenStatus[]]
}

export interface WrittenList {
  readonly sequence?: number
  /** Null: a closed list. */
  readonly nextUpdate?: string | null
  readonly services?: readonly WrittenService[]
  readonly pointers?: readonly { location: string; signers: readonly Certificate[]; mimeType?: string; type?: string }[]
}

const TYPE = 'http://uri.etsi.org/TrstSvc/TrustedList/TSLType'
const STATUS = 'http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus'

const identity = (certificates: readonly Certificate[]): string =>
  `<ServiceDigitalIdentity>${certificates
    .map(({ der }) => `<DigitalId><X509Certificate>\n${der.toString('base64')}\n</X509Certificate></DigitalId>`)
    .join('')}</ServiceDigitalIdentity>`

const usage = (uri: string): string =>
  `<Extension Critical="false"><AdditionalServiceInformation><URI xml:lang="en">http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/${uri}</URI></AdditionalServiceInformation></Extension>`

const statusOf = (
  name: string,
  { status, from, type = 'CA/QC', usages = [], certificates = [] }: WrittenStatus,
): string =>
  `<ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${type}</ServiceTypeIdentifier>` +
  `<ServiceName><Name xml:lang="pt">${name} em português</Name><Name xml:lang="en">${name}</Name></ServiceName>` +
  `${identity(certificates)}<ServiceStatus>${STATUS}/${status}</ServiceStatus>` +
  `<StatusStartingTime>${from}</StatusStartingTime>` +
  `<ServiceInformationExtensions>${usages.map(usage).join('')}</ServiceInformationExtensions>`

const serviceOf = ({ name, statuses: [current, ...history] }: WrittenService): string =>
  `<TSPService><ServiceInformation>${statusOf(name, current)}</ServiceInformation><ServiceHistory>${history
    .map((one) => `<ServiceHistoryInstance>${statusOf(name, one)}</ServiceHistoryInstance>`)
    .join('')}</ServiceHistory></TSPService>`

const pointerTo = ({
  location,
  signers,
  mimeType = 'application/vnd.etsi.tsl+xml',
  type = 'EUgeneric',
}: NonNullable<WrittenList['pointers']>[number]): string =>
  `<OtherTSLPointer><ServiceDigitalIdentities>${signers.map((one) => identity([one])).join('')}</ServiceDigitalIdentities>` +
  `<TSLLocation>${location}</TSLLocation><AdditionalInformation>` +
  `<OtherInformation><TSLType>${TYPE}/${type}</TSLType></OtherInformation>` +
  '<OtherInformation><SchemeTerritory>XX</SchemeTerritory></OtherInformation>' +
  `<OtherInformation><a:MimeType>${mimeType}</a:MimeType></OtherInformation></AdditionalInformation></OtherTSLPointer>`

/** The list, not yet signed. */
export function trustedListXml(list: WrittenList = {}): Buffer {
  const { sequence = 7, nextUpdate = '2027-09-01T00:00:00Z', services = [], pointers = [] } = list
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>
<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" xmlns:a="http://uri.etsi.org/02231/v2/additionaltypes#" TSLTag="http://uri.etsi.org/19612/TSLTag">
<SchemeInformation><TSLVersionIdentifier>5</TSLVersionIdentifier><TSLSequenceNumber>${sequence}</TSLSequenceNumber>
<TSLType>${TYPE}/EUgeneric</TSLType><SchemeOperatorName><Name xml:lang="pt">Operador</Name><Name xml:lang="en">Operator</Name></SchemeOperatorName>
<SchemeTerritory>XX</SchemeTerritory><PointersToOtherTSL>${pointers.map(pointerTo).join('')}</PointersToOtherTSL>
<ListIssueDateTime>2027-05-01T00:00:00Z</ListIssueDateTime><NextUpdate>${nextUpdate === null ? '' : `<dateTime>${nextUpdate}</dateTime>`}</NextUpdate></SchemeInformation>
<TrustServiceProviderList><TrustServiceProvider><TSPInformation><TSPName><Name xml:lang="en">Provider</Name></TSPName></TSPInformation>
<TSPServices>${services.map(serviceOf).join('')}</TSPServices></TrustServiceProvider></TrustServiceProviderList>
</TrustServiceStatusList>`,
    'utf8',
  )
}
