/**
 * Of the tests that reach a change, those of the packages it is in. A change of the kernel is reached by every service's
 * tests; whoever is at work on it wants the kernel's first.
 * @param {readonly string[]} changed
 * @param {readonly string[]} tests
 */
export function nearTests(changed, tests) {
  const places = new Set(changed.map(packageOf))
  const near = tests.filter((test) => places.has(packageOf(test)))
  return { near, far: tests.length - near.length }
}

/** @param {string} path */
function packageOf(path) {
  const [floor = '', room = ''] = path.split('/')
  return ['packages', 'services', 'apps'].includes(floor) ? `${floor}/${room}` : floor
}
