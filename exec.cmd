@rem npm scripts say "exec" so that signals reach the program and not only its shell. Windows lacks the word.
@%*
