/** Each browser by its mark in the header; the first match decides, because most name others as well. */
const browsers = [
  ['Edge', /\bEdgA?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)\S* (?:Mobile\/\S+ )?Safari\//],
] as const

const systems = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

/** `Firefox 143, Windows`; programs that are no known browser keep the name they gave. */
export function browserName(userAgent: string): string {
  const browser = browsers.map(([name, mark]) => [name, mark.exec(userAgent)?.[1]] as const).find(([, found]) => found)
  if (!browser) return userAgent
  const system = systems.find(([, mark]) => mark.test(userAgent))?.[0]
  return [browser.join(' '), ...(system ? [system] : [])].join(', ')
}
