"""Lists for hints: first names with their short forms, and places with what their people are called.

Only what no rule tells: `hints` finds Canada and Canadian by their endings.
"""

_NICKNAMES = """
    abby abigail | al albert alan alfred | alex alexander alexandra | andy andrew | barb barbara | becky
    rebecca | ben benjamin | bernie bernard | beth liz lizzie betty elizabeth | bill billy will willie
    william | bob bobby rob robbie robert | brad bradley | cathy kathy kate katie katherine catherine
    kathleen | charlie chuck charles | chris christopher christine christina | cindy cynthia | dan danny
    daniel | dave david | deb debbie deborah | dick rick rich richie richard | don donald | doug douglas
    | ed eddie ted edward | ellie eleanor | frank francis franklin | fred freddie frederick | gabe
    gabriel | gene eugene | gerry jerry gerald | greg gregory | hank harry henry | jack jackie john
    johnny | jake jacob | jeff geoff jeffrey geoffrey | jen jenny jennifer | jim jimmy jamie james | joe
    joey joseph | jon jonathan | josh joshua | judy judith | ken kenny kenneth | larry lawrence | len
    lenny leonard | leo leonardo | maggie meg peggy margaret | matt matthew | max maximilian | meg megan
    | mike mick mickey michael | molly mary | nancy anne ann annie | nate nathan nathaniel | nick
    nicholas | pam pamela | pat patty patrick patricia | pete peter | phil philip phillip | ray raymond
    | ron ronnie ronald | sam sammy samuel samantha | sandy sandra | steve steven stephen | stan stanley
    | sue susan | tim timothy | ted theodore teddy | tom tommy thomas | tony anthony | vicky victoria |
    walt walter
"""
NICKNAMES = [frozenset(family.split()) for family in _NICKNAMES.split("|")]

_DEMONYMS = """
    argentine argentina | british britain | briton britain | belgian belgium | chilean chile | czech
    czechia | danish denmark | dane denmark | dutch netherlands | dutch holland | english england |
    filipino philippines | finnish finland | french france | german germany | greek greece | icelandic
    iceland | irish ireland | norwegian norway | peruvian peru | polish poland | pole poland |
    portuguese portugal | scottish scotland | spanish spain | swede sweden | swedish sweden | swiss
    switzerland | thai thailand | turk turkey | turkish turkey | welsh wales | afghan afghanistan |
    american us | american u.s. | american usa
"""
DEMONYMS = {frozenset(pair.split()) for pair in _DEMONYMS.split("|")}
