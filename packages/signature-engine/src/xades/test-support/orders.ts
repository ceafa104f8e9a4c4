/** A document with what canonicalisation has to change: quotes, order, empty elements, line ends, comments, namespaces. */
export const order = (items = 2): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- pedido -->\r\n<order xmlns="urn:order" xmlns:x="urn:extra" xml:lang="pt-BR" Id="order">\r\n${Array.from(
      { length: items },
      (_, at) =>
        `  <item z='1' Id="item-${at + 1}"><name>Pão &amp; café n.º ${at + 1}</name><!-- doce --><x:price/></item>\r\n`,
    ).join('')}  <note>a entregar</note>\r\n</order>\r\n`,
    'utf8',
  )
