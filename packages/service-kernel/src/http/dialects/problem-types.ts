// Where RFC 9110 (and 6585) define each status; clients of the original services show these as `type`.
const sections: Readonly<Record<number, string>> = {
  400: 'rfc9110#section-15.5.1',
  401: 'rfc9110#section-15.5.2',
  403: 'rfc9110#section-15.5.4',
  404: 'rfc9110#section-15.5.5',
  405: 'rfc9110#section-15.5.6',
  408: 'rfc9110#section-15.5.9',
  409: 'rfc9110#section-15.5.10',
  413: 'rfc9110#section-15.5.14',
  415: 'rfc9110#section-15.5.16',
  417: 'rfc9110#section-15.5.18',
  422: 'rfc9110#section-15.5.21',
  429: 'rfc6585#section-4',
  431: 'rfc6585#section-5',
  500: 'rfc9110#section-15.6.1',
  503: 'rfc9110#section-15.6.4',
}

/** The address of the definition of an HTTP status. */
export const statusType = (status: number): string => {
  const section = sections[status]
  return section ? `https://tools.ietf.org/html/${section}` : 'about:blank'
}
