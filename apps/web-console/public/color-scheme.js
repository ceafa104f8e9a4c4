// Puts the remembered or preferred colour scheme on <html> before the first paint, so that a dark page never flashes white.
// The key and the attribute are the ones src/shared/theme/color-scheme.ts hands to Mantine.
;(() => {
  const preferred = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  document.documentElement.dataset.mantineColorScheme = remembered() ?? preferred

  function remembered() {
    try {
      const scheme = localStorage.getItem('chancela-color-scheme')
      return scheme === 'dark' || scheme === 'light' ? scheme : undefined
    } catch {
      // A browser that bars storage still gets the colours of its system.
      return undefined
    }
  }
})()
