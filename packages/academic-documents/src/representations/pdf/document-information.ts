import { cleanText } from '../contents/clean-text.ts'
import { dict, type PdfText, plainString, textString } from './syntax.ts'

/** What a file says of itself, once for programs that read XMP and once for those that do not. */
export interface DocumentInformation {
  readonly title: string
  readonly author: string
  readonly subject: string
  /** An instant without fractions of a second. */
  readonly madeAt: Date
}

const PRODUCER = 'Chancela'

export const informationDictionary = ({ title, author, subject, madeAt }: DocumentInformation): PdfText =>
  dict({
    Title: textString(cleanText(title)),
    Author: textString(cleanText(author)),
    Subject: textString(cleanText(subject)),
    Creator: textString(PRODUCER),
    Producer: textString(PRODUCER),
    CreationDate: plainString(pdfDate(madeAt)),
    ModDate: plainString(pdfDate(madeAt)),
  })

const pdfDate = (date: Date): string => `D:${xmpDate(date).replace(/[-:TZ]/g, '')}+00'00'`
const xmpDate = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`

/**
 * The same in XMP, with the claim to be PDF/A-1b. ISO 19005-1 §6.7.3: the two must agree entry by entry, and the packet
 * may not be compressed, so that a program that knows no PDF finds it.
 */
export const xmpPacket = ({ title, author, subject, madeAt }: DocumentInformation): Buffer =>
  Buffer.from(`<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>1</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:format>application/pdf</dc:format><dc:title><rdf:Alt><rdf:li xml:lang="x-default">${escaped(title)}</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>${escaped(author)}</rdf:li></rdf:Seq></dc:creator><dc:description><rdf:Alt><rdf:li xml:lang="x-default">${escaped(subject)}</rdf:li></rdf:Alt></dc:description><dc:language><rdf:Bag><rdf:li>pt-BR</rdf:li></rdf:Bag></dc:language></rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/"><xmp:CreatorTool>${PRODUCER}</xmp:CreatorTool><xmp:CreateDate>${xmpDate(madeAt)}</xmp:CreateDate><xmp:ModifyDate>${xmpDate(madeAt)}</xmp:ModifyDate></rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"><pdf:Producer>${PRODUCER}</pdf:Producer></rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>`)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const escaped = (text: string): string => cleanText(text).replace(/[&<>]/g, (char) => entities[char]!)
