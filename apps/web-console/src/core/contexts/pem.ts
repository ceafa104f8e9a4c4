const BLOCK = /-----BEGIN CERTIFICATE-----([^-]*)-----END CERTIFICATE-----/g

/** The certificates of a PEM text, as the contract carries them: base64 of each. */
export const certificatesIn = (pem: string): string[] =>
  [...pem.matchAll(BLOCK)].map(([, content]) => content!.replaceAll(/\s/g, ''))

/** The way back, in lines of 64 characters. */
export const pemOf = (certificates: readonly string[]): string =>
  certificates
    .map(
      (content) =>
        `-----BEGIN CERTIFICATE-----\n${content.replaceAll(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    )
    .join('')
