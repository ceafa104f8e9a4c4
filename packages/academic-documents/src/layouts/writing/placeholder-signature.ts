import { XML_SIGNATURE_NAMESPACE } from '../kinds.ts'

/** Has the shape of a signature and signs nothing. Never leaves this process: it only stands in for those to come. */
export const placeholderSignature = [
  `<ds:Signature xmlns:ds="${XML_SIGNATURE_NAMESPACE}"><ds:SignedInfo>`,
  '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>',
  '<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>',
  '<ds:Reference URI=""><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>',
  '<ds:DigestValue>AAAA</ds:DigestValue></ds:Reference></ds:SignedInfo>',
  '<ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>',
].join('')
