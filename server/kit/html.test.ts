import { expect, test } from 'vitest'
import { html } from './html.ts'

test('html: values are escaped, HTML is not', () => {
  expect(html`<p title="${'"&'}">${'<b>'}${html`<i>`}</p>`.html).toBe('<p title="&quot;&amp;">&lt;b&gt;<i></p>')
})

test('html: what turns the direction of text is shown by its number', () => {
  expect(html`${'abc\u202Edef\u2066\u2069'}`.html).toBe('abc\\u202edef\\u2066\\u2069')
  expect(html`${'שלום'}`.html).toBe('שלום')
})
