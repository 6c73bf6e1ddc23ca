//! Le Siège de Dantzig 1807: a whole game on two maps.
