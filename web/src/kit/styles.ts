// Mantine's variables in a layer, before what is ours; the sheets of its parts stand beside the parts that use them.
import 'virtual:mantine-variables.css'
import './tokens.css'
import './mantine.css'
import './base.css'
