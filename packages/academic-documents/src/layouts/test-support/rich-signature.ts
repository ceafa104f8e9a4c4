// A signature with every construct that the schema of XML signatures knows, and what XAdES puts into one. It signs nothing.

const DS = 'http://www.w3.org/2000/09/xmldsig#'
const XADES = 'http://uri.etsi.org/01903/v1.3.2#'

/** `mark` makes its identifiers differ from those of other signatures of the document. */
export const richSignature = (mark: string): string => `<ds:Signature xmlns:ds="${DS}" Id="S${mark}">\
<ds:SignedInfo Id="SI${mark}"><ds:CanonicalizationMethod Algorithm="http://www.w3.org/TR/2001/REC-xml-c14n-20010315"/>\
<ds:SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"><ds:HMACOutputLength>128</ds:HMACOutputLength></ds:SignatureMethod>\
<ds:Reference Id="R${mark}" URI="#Dip1" Type="http://uri.etsi.org/01903#SignedProperties"><ds:Transforms>\
<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>not(ancestor-or-self::ds:Signature)</ds:XPath></ds:Transform>\
<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"><ec:InclusiveNamespaces xmlns:ec="http://www.w3.org/2001/10/xml-exc-c14n#" PrefixList="ds"/></ds:Transform>\
</ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>3q2+7w==</ds:DigestValue></ds:Reference>\
<ds:Reference><ds:DigestMethod Algorithm="urn:none"/><ds:DigestValue/></ds:Reference></ds:SignedInfo>\
<ds:SignatureValue Id="SV${mark}">3q2+7/7c</ds:SignatureValue>\
<ds:KeyInfo Id="K${mark}"><ds:KeyName>chave 1</ds:KeyName>\
<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>3q2+7/7c</ds:Modulus><ds:Exponent>AQAB</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>\
<ds:KeyValue><ds:DSAKeyValue><ds:P>AQAB</ds:P><ds:Q>AQAB</ds:Q><ds:G>AQAB</ds:G><ds:Y>AQAB</ds:Y><ds:J>AQAB</ds:J><ds:Seed>AQAB</ds:Seed><ds:PgenCounter>AQAB</ds:PgenCounter></ds:DSAKeyValue></ds:KeyValue>\
<ds:RetrievalMethod URI="#x" Type="urn:t"><ds:Transforms><ds:Transform Algorithm="urn:a">texto</ds:Transform></ds:Transforms></ds:RetrievalMethod>\
<ds:X509Data><ds:X509IssuerSerial><ds:X509IssuerName>CN=AC</ds:X509IssuerName><ds:X509SerialNumber>12345678901234567890</ds:X509SerialNumber></ds:X509IssuerSerial>\
<ds:X509SKI>AQAB</ds:X509SKI><ds:X509SubjectName>CN=Reitora</ds:X509SubjectName><ds:X509Certificate>MIIB
AQAB</ds:X509Certificate><ds:X509CRL>AQAB</ds:X509CRL></ds:X509Data>\
<ds:PGPData><ds:PGPKeyID>AQAB</ds:PGPKeyID><ds:PGPKeyPacket>AQAB</ds:PGPKeyPacket></ds:PGPData><ds:PGPData><ds:PGPKeyPacket>AQAB</ds:PGPKeyPacket><o:more xmlns:o="urn:o"/></ds:PGPData>\
<ds:SPKIData><ds:SPKISexp>AQAB</ds:SPKISexp><ds:SPKISexp>AQAB</ds:SPKISexp></ds:SPKIData><ds:MgmtData>x</ds:MgmtData></ds:KeyInfo>\
<ds:Object Id="O${mark}" MimeType="text/xml" Encoding="urn:e"><xades:QualifyingProperties xmlns:xades="${XADES}" Target="#S${mark}">\
<xades:SignedProperties Id="SP${mark}"><xades:SignedSignatureProperties><xades:SigningTime>2026-11-17T14:33:00Z</xades:SigningTime>\
<xades:SigningCertificateV2><xades:Cert><xades:CertDigest><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>3q2+7w==</ds:DigestValue></xades:CertDigest></xades:Cert></xades:SigningCertificateV2>\
</xades:SignedSignatureProperties></xades:SignedProperties></xades:QualifyingProperties></ds:Object>\
<ds:Object>texto<ds:Manifest Id="M${mark}"><ds:Reference URI=""><ds:DigestMethod Algorithm="urn:none"/><ds:DigestValue>AQAB</ds:DigestValue></ds:Reference></ds:Manifest>\
<ds:SignatureProperties Id="PS${mark}"><ds:SignatureProperty Target="#S${mark}" Id="P${mark}"><o:p xmlns:o="urn:o">1</o:p></ds:SignatureProperty></ds:SignatureProperties></ds:Object>\
</ds:Signature>`
