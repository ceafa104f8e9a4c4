const ANY = 'application/octet-stream'

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const TYPE = new RegExp(
  `^${TOKEN}/${TOKEN}(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\x00-\\x1f\\x7f-\\uffff]*"))*$`,
)

/** A content type that can stand in a header: what a client states where it is one, bytes of any kind otherwise. */
export const mediaTypeOrAny = (stated: string | null | undefined): string => {
  const type = stated?.trim() ?? ''
  return TYPE.test(type) ? type : ANY
}
