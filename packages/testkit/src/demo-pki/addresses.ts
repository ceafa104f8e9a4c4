/** The addresses of everything the demo PKI serves; its certificates contain the same. */
export const addresses = (baseUrl: string) => ({
  /** ICP-Brasil authorities publish bundles; the single certificate is there for clients that expect it. */
  issuerCertificates: (authority: string) => [`${baseUrl}/aia/${authority}.p7b`, `${baseUrl}/aia/${authority}.crt`],
  revocationLists: (authority: string) => [`${baseUrl}/crl/${authority}.crl`, `${baseUrl}/crl-mirror/${authority}.crl`],
  ocsp: `${baseUrl}/ocsp`,
  timeStamps: `${baseUrl}/tsa`,
  practiceStatement: `${baseUrl}/cps.txt`,
  trustAnchors: `${baseUrl}/roots.pem`,
})
